// The style sheet of every HTML file: light and dark, wide and narrow, on paper; without images and fonts of its own.
import { styleOfEvidence } from './styleOfEvidence.js';
import { styleOfViews } from './styleOfViews.js';

const dark = `
    --back: #14171b; --text: #e6e9ed; --dim: #9da7b2; --line: #333a42; --panel: #1c2126; --link: #86bcff; --mark: #9da7b2;
    --highlight: #665000; --on: #14171b;
    --passed: #3fbfae; --failed: #ff8a5c; --blocked: #f0b429; --known-deviation: #b79bff; --skipped: #82a8ff;
    --not-supported: #98a2ad; --untested: #98a2ad; --unobservable: #98a2ad;
`;

// The colours differ in lightness and hue for colour-blind readers, and a sign is next to each.
const base = `
:root {
  color-scheme: light dark;
  --back: #fff; --text: #16191d; --dim: #56606b; --line: #d9dee4; --panel: #f5f7f9; --link: #0a53a8; --mark: #56606b;
  --highlight: #ffe58a; --on: #fff;
  --passed: #0f766e; --failed: #b93207; --blocked: #8f4a00; --known-deviation: #6d3fc0; --skipped: #2a5bd0;
  --not-supported: #5b6570; --untested: #5b6570; --unobservable: #5b6570;
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme='light']) { ${dark} }
}
:root[data-theme='dark'] { color-scheme: dark; ${dark} }
:root[data-theme='light'] { color-scheme: light; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 3.5rem; }
body { margin: 0 auto; padding: 0 1.25rem 4rem; max-width: 84rem; background: var(--back); color: var(--text);
  overflow-wrap: anywhere; font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; }
h1, h2, h3, h4 { line-height: 1.25; }
h2 { margin: 1.25rem 0 .6rem; font-size: 1.2rem; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1rem; }
h4 { margin: .9rem 0 .25rem; font-size: .8rem; font-weight: 600; color: var(--dim); }
p { margin: .4rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
code, pre { font: 12.5px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
pre { margin: .25rem 0; padding: .6rem .75rem; max-height: 26rem; overflow: auto; white-space: pre-wrap;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
pre b { font-weight: 600; color: var(--dim); }
mark { padding: 0 .15em; border-radius: 3px; background: var(--highlight); color: inherit; }
.dim { color: var(--dim); }
.unseen, .skip:not(:focus) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; top: .5rem; left: .5rem; z-index: 9; padding: .4rem .8rem; background: var(--back); border: 2px solid var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
html:not(.script) main > section { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
html:not(.script) .needs-script, html.script .needs-none { display: none; }
.passed { --mark: var(--passed); } .failed { --mark: var(--failed); } .blocked { --mark: var(--blocked); }
.known-deviation { --mark: var(--known-deviation); } .not-supported { --mark: var(--not-supported); } .skipped { --mark: var(--skipped); }
.untested { --mark: var(--untested); } .unobservable { --mark: var(--unobservable); }
svg rect { fill: var(--mark); }
.top { padding-top: .6rem; }
.line { display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; color: var(--dim); font-size: .9rem; }
.target { color: var(--text); }
.aside { margin: .2rem 0; font-size: 1.4rem; }
.scope { padding: 0 .6rem; border: 1px solid var(--link); border-radius: 1rem; color: var(--link); font-size: .8rem; }
.head { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 18rem) minmax(0, 18rem); gap: .5rem 1.75rem; align-items: start; margin: .2rem 0; }
.verdict { display: flex; gap: .6rem; align-items: center; margin: 0; font-size: 2rem; font-weight: 680; letter-spacing: -.01em; }
.verdict.long { font-size: 1.6rem; }
.verdict .sign { flex: none; width: 1.3em; height: 1.3em; border-radius: 50%; background: var(--mark); color: var(--on);
  text-align: center; font-size: .8em; line-height: 1.3; }
.why { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: .2rem 0 0; padding: 0; list-style: none; color: var(--dim); font-size: .85rem; }
.tally h2 { display: flex; justify-content: space-between; align-items: baseline; margin: 0 0 .2rem; font-size: .95rem; font-weight: 600; }
.tally h2 b { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.tally .bar { height: 8px; border-radius: 4px; }
.tally ul { display: flex; flex-wrap: wrap; gap: 0 .8rem; margin: .15rem 0 0; padding: 0; list-style: none; font-size: .8rem; }
.tally a { color: var(--dim); text-decoration: none; }
.tally a:hover { text-decoration: underline; }
.sign { color: var(--mark); font-weight: 700; }
.bar { display: block; width: 100%; height: 10px; border-radius: 3px; background: var(--panel); overflow: hidden; }
.bar .not-supported, .bar .skipped { fill-opacity: .45; }
.bar rect { stroke: var(--back); stroke-width: .15; }
.history { display: inline-flex; gap: .4rem; align-items: center; align-self: center; }
.trend { overflow: visible; }
.facts[open] { flex-basis: 100%; }
.facts summary { cursor: pointer; }
.facts dl { display: flex; flex-wrap: wrap; gap: .1rem 1.5rem; margin: .2rem 0 .4rem; }
.facts dl div { display: flex; gap: .5rem; }
.facts dd { margin: 0; color: var(--text); }
.views { position: sticky; top: 0; z-index: 4; display: flex; justify-content: space-between; gap: .75rem; margin: 0 -1.25rem; padding: 0 1.25rem; background: var(--back); border-bottom: 1px solid var(--line); }
.views button { flex: none; align-self: center; white-space: nowrap; }
.views ul { flex: 1; display: flex; min-width: 0; gap: 0 .1rem; margin: 0; padding: 0; list-style: none; overflow-x: auto; overflow-y: hidden; scrollbar-width: none; }
.views ul.after { mask-image: linear-gradient(to right, #000 calc(100% - 3rem), transparent); }
.views ul.before { mask-image: linear-gradient(to left, #000 calc(100% - 3rem), transparent); }
.views ul.before.after { mask-image: linear-gradient(to right, transparent, #000 3rem calc(100% - 3rem), transparent); }
.views a { display: block; padding: .45rem .5rem .4rem; border-bottom: 3px solid transparent; color: var(--dim); text-decoration: none; white-space: nowrap; }
.views a:focus-visible { outline-offset: -2px; }
.views a:hover { color: var(--text); }
.views a[aria-current] { border-color: var(--link); color: var(--text); }
.count { padding: 0 .4rem; border-radius: 1rem; background: var(--panel); font-size: .8rem; font-weight: 400; }
.views .failures .count { background: var(--failed); color: var(--on); font-weight: 600; }
.keys { max-width: 34rem; padding: .5rem 1.5rem 1.2rem; border: 1px solid var(--line); border-radius: 8px; background: var(--back); color: var(--text); }
.keys::backdrop { background: rgb(0 0 0 / .4); }
.keys dl { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .25rem 1.5rem; margin: 0; }
.keys dl div { display: flex; gap: .6rem; }
.keys dd { margin: 0; }
kbd { padding: 0 .35rem; border: 1px solid var(--dim); border-radius: 4px; background: var(--panel); font: 12px/1.5 monospace; white-space: nowrap; }
footer { margin-top: 3rem; padding-top: .75rem; border-top: 1px solid var(--line); color: var(--dim); font-size: .85rem; }
@media (max-width: 60rem) { .head { grid-template-columns: repeat(2, minmax(0, 1fr)); } .said { grid-column: 1 / -1; } }
@media (max-width: 40rem) {
  body { padding: 0 .8rem 3rem; }
  .views { gap: .3rem; margin: 0 -.8rem; padding: 0 .8rem; }
  .views button { padding: .25rem .5rem; }
  .views .theme { font-size: 0; }
  .views .theme::before { content: '◐'; font-size: .9rem; }
  .verdict { font-size: 1.6rem; }
  .verdict.long { font-size: 1.35rem; }
  .head { grid-template-columns: minmax(0, 1fr); }
}
`;

// Last, so that it takes precedence. A button for more stays visible, because it shows the number of hidden items.
const print = `
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .views, .filters, .skip, .copy, .choice, .pane, .switch, .beyond, .counted, .facts:not([open]) { display: none !important; }
  html.whole .overview.green .chapter-list { display: none; }
  html.whole #view-chapters { display: block !important; }
  html.whole .chapters th, html.whole .chapters td { padding: .08rem .4rem; font-size: 8pt; }
  html.whole footer, html.whole .cause.later > .example, html.whole .cause.later > .share, html.whole .symptoms .example,
  html.whole .symptoms .share, html.whole .causes summary { display: none; }
  html.whole .cause .cause { padding: .1rem .3rem; border-bottom: 0; font-size: 8pt; }
  html.whole .overview .causes { max-height: none; overflow: visible; mask-image: none; }
  html.whole .overview { display: flex; flex-direction: column; align-items: stretch; }
  html.whole .map { order: -1; break-inside: avoid; }
  tr, .case > summary, .tally, .facts, .cause { break-inside: avoid; }
  .requirements .folded .row { display: table-row; }
  .cause:has(.symptoms) { break-inside: auto; }
  h2, h3 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
  pre, .scroll, .timeline ol { max-height: none; overflow: visible; }
  .requirements thead th, .matrix tbody th { position: static; }
  .matrix, .map .matrix { width: 100%; font-size: 7.5pt; }
  .matrix thead th, .cell { min-width: 0; }
  .matrix thead th { height: 5.5rem; }
  .cell { padding: 0 .1rem; }
  * { print-color-adjust: exact; }
}
`;

export const pageStyle = base + styleOfViews + styleOfEvidence + print;
