// The style of cases and their evidence.

export const styleOfEvidence = `
.rule { max-width: 56rem; margin: .3rem 0 .6rem; padding: .15rem .8rem; border-left: 3px solid var(--line); font-size: .85rem; }
.rule p { margin: .15rem 0; }
.requirement > h3, .requirement > h2 { margin: 1.6rem 0 .1rem; font-size: 1rem; }
.requirement > p { margin: .1rem 0 .5rem; font-size: .85rem; }
.case { border: 1px solid var(--line); border-left: 4px solid var(--mark); border-radius: 6px; margin: .3rem 0; }
.case > summary { display: grid; grid-template-columns: 1.1rem minmax(0, 1fr); gap: 0 .5rem; padding: .4rem .7rem; cursor: pointer; list-style: none; }
.case > summary::-webkit-details-marker { display: none; }
.case > summary:hover { background: var(--panel); }
.case[open] > summary { border-bottom: 1px solid var(--line); }
.case .subject { font: 12.5px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
.case .line { grid-column: 2; color: var(--dim); font-size: .85rem; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.case[open] .line { display: none; }
.detail { padding: .3rem .9rem .9rem; }
.more { margin: .8rem 0; }
.difference { margin: .4rem 0; display: grid; gap: 1px; }
.difference div { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .5rem; padding: .35rem .7rem; background: var(--panel); }
.difference dt { color: var(--dim); font-size: .85rem; }
.difference dd { margin: 0; font: 12.5px/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre-wrap; }
.difference .expected { border-left: 4px solid var(--passed); }
.difference .got { border-left: 4px solid var(--failed); }
.exchange { border: 1px solid var(--line); border-radius: 6px; margin: .25rem 0; }
.others > summary { padding: .35rem 0; color: var(--link); cursor: pointer; }
.others .exchange > summary { padding: .15rem .6rem; }
.exchange > summary { padding: .35rem .7rem; cursor: pointer; }
.exchange > summary:hover { background: var(--panel); }
.exchange > :not(summary) { margin-left: .7rem; margin-right: .7rem; }
.exchange > :last-child:not(summary) { margin-bottom: .7rem; }
.status { font-weight: 600; white-space: nowrap; }
.messages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 0 1rem; }
.messages > div { min-width: 0; }
.timeline ol { margin: .3rem 0; padding: 0; list-style: none; max-height: 26rem; overflow: auto; }
.timeline li { padding: .2rem 0; border-top: 1px solid var(--line); }
.timeline .at { display: inline-block; min-width: 5rem; color: var(--dim); font-variant-numeric: tabular-nums; }
.timeline details { display: inline-block; max-width: 100%; margin: 0; vertical-align: top; }
.timeline details[open] { display: block; }
.timeline summary { color: var(--text); }
.way.sent, rect.sent { --mark: var(--skipped); } .way.received, rect.received { --mark: var(--passed); }
.way { color: var(--mark); white-space: nowrap; }
.strip { display: block; width: 100%; height: 12px; background: var(--panel); border-radius: 3px; }
.tls { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; margin: .6rem 0; font-size: .85rem; }
.tls div { display: flex; gap: .4rem; }
.tls dt { color: var(--dim); }
.tls dd { margin: 0; }
.far { border-left: 3px solid var(--line); padding-left: .8rem; }
.copyable { position: relative; }
.copyable pre { padding-right: 5rem; }
.copyable .copy { position: absolute; right: .4rem; top: 1.75rem; }
.copyable .told { color: var(--passed); font-size: .85rem; }
`;
