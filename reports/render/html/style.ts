// The style sheet of the page: light and dark, wide and narrow, no images and no fonts of its own.

export const style = `
:root {
  color-scheme: light dark;
  --back: #fff; --text: #1c2024; --dim: #5d666f; --line: #dde1e6; --panel: #f6f7f9; --link: #0b57b0;
  --passed: #1f7a3d; --failed: #c0212f; --not-testable: #b4500b; --deviation: #8a5a00; --not-offered: #6b7480;
  --not-run: #5a54b8; --untested: #8b939c; --planned: #8b939c; --unobservable: #8b939c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #15181c; --text: #e4e7eb; --dim: #9aa4af; --line: #30363d; --panel: #1d2126; --link: #7db7ff;
    --passed: #4cc26f; --failed: #ff7078; --not-testable: #ff9a3d; --deviation: #e8b03d; --not-offered: #97a1ac;
    --not-run: #a7a1ff; --untested: #7d8691; --planned: #7d8691; --unobservable: #7d8691;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 76rem; background: var(--back); color: var(--text);
  overflow-wrap: anywhere; font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
h1, h2, h3 { line-height: 1.25; }
h1 { margin: 0; font-size: 1.1rem; font-weight: 600; color: var(--dim); }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
code, pre { font: 12.5px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
pre { margin: .35rem 0; padding: .6rem .75rem; max-height: 28rem; overflow: auto; white-space: pre-wrap;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
.dim { color: var(--dim); }
.verdict { margin: .35rem 0 .75rem; padding-left: .8rem; border-left: 6px solid var(--mark); font-size: 1.75rem;
  font-weight: 650; line-height: 1.25; }
.sides { display: flex; flex-wrap: wrap; gap: .5rem 4rem; align-items: flex-start; margin: 1rem 0; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0; }
.facts dt { color: var(--dim); }
.facts dd { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: 1.25rem 0 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--dim); font-size: .85rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.zero { color: var(--dim); opacity: .55; }
.counts, .grid { overflow-wrap: normal; }
.counts { width: auto; }
.counts th, .counts td { padding: .15rem 1.2rem .15rem 0; }
.counts th.number, .counts td { padding: .15rem 0 .15rem 1.2rem; }
.chip { display: inline-block; padding: 0 .5rem; border: 1px solid var(--mark); border-radius: 1rem; color: var(--mark);
  font-size: .8rem; line-height: 1.45; white-space: nowrap; }
.chip.failed, .chip.not-testable { background: var(--mark); color: var(--back); }
.chip.planned, .chip.unobservable, .chip.untested { border-style: dashed; }
.passed { --mark: var(--passed); } .failed { --mark: var(--failed); } .not-testable { --mark: var(--not-testable); }
.deviation { --mark: var(--deviation); } .not-offered { --mark: var(--not-offered); }
.not-run { --mark: var(--not-run); } .untested { --mark: var(--untested); } .planned { --mark: var(--planned); }
.unobservable { --mark: var(--unobservable); }
.marked { color: var(--mark); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; }
summary { padding: .4rem .7rem; cursor: pointer; }
summary:hover { background: var(--panel); }
details > :not(summary) { margin-left: .7rem; margin-right: .7rem; }
details > :last-child:not(summary) { margin-bottom: .7rem; }
details > table { width: calc(100% - 1.4rem); }
details.more, details.more > * { margin: 0; padding: 0; border: 0; }
details.more > summary { color: var(--dim); font-size: .85rem; }
.chapter > summary b { margin-right: .6rem; }
.requirements { table-layout: fixed; }
.requirements .what { width: 52%; }
.requirements .where { width: 22%; }
.requirements .state { width: 26%; }
.requirements code { display: block; color: var(--dim); }
.requirements small { display: block; }
.grid { width: auto; font-size: .85rem; }
.grid th, .grid td { padding: 1px; border: 0; }
.grid thead th { height: 8.5rem; vertical-align: bottom; }
.grid thead th span { display: block; writing-mode: vertical-rl; transform: rotate(180deg); margin: 0 auto;
  white-space: nowrap; }
.grid tbody th { position: sticky; left: 0; padding-right: .8rem; background: var(--back); font-weight: 400;
  color: var(--text); white-space: nowrap; }
.grid .group th { padding-top: .8rem; font-weight: 600; color: var(--dim); }
.cell { display: block; min-width: 2.6rem; padding: .1rem .25rem; border-radius: 3px; text-align: center;
  font-variant-numeric: tabular-nums; color: var(--text); text-decoration: none;
  background: color-mix(in srgb, var(--mark) 26%, var(--back)); }
.cell.failed, .cell.not-testable { background: var(--mark); color: var(--back); font-weight: 600; }
.cell.convention { background: color-mix(in srgb, var(--mark) 22%, var(--back)); color: var(--text);
  box-shadow: inset 0 0 0 1px var(--mark); font-weight: 400; }
.cell.not-offered, .cell.not-run { background: none; box-shadow: inset 0 0 0 1px var(--mark); color: var(--dim); }
.cell.untested { background: none; box-shadow: inset 0 0 0 1px var(--line); color: var(--dim); }
.cell.passed.partial, .cell.deviation.partial { background: repeating-linear-gradient(135deg, color-mix(in srgb, var(--mark) 26%, var(--back)) 0 5px,
  color-mix(in srgb, var(--mark) 10%, var(--back)) 5px 10px); }
.legend { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin: .6rem 0; font-size: .85rem; }
.legend .cell { display: inline-block; min-width: 1.6rem; margin-right: .35rem; }
.ids { font: 12.5px/1.6 ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
.ids, .plain { padding-left: 1.2rem; }
.message { white-space: pre-wrap; }
.label { margin-top: .7rem; margin-bottom: 0; color: var(--dim); font-size: .85rem; }
@media (max-width: 40rem) {
  body { padding: 1rem .8rem 3rem; }
  .verdict { font-size: 1.35rem; }
  .sides { display: flex; flex-wrap: wrap; gap: .5rem 4rem; align-items: flex-start; margin: 1rem 0; }
.facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: .35rem; }
  .requirements, .requirements tbody, .requirements tr, .requirements td { display: block; width: auto !important; }
  .requirements thead { display: none; }
  .requirements td { padding: .1rem 0; border: 0; }
  .requirements tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
}
@media print { details { break-inside: avoid; } nav { display: none; } }
`;
