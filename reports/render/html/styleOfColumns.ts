// The style of comparisons.

// In percent: 231 of 232 is not nine tenths.
const steps = Array.from(
  { length: 101 },
  (_, percent) =>
    `.of${percent}{--part:${percent}%}.good${percent}{--good:${percent}%}.odd${percent}{--odd:${percent}%}`,
).join('\n');

/** The style of a comparison, added to the style of every page. */
export const styleOfColumns = `
h1 { margin: .25rem 0; font-size: 1.8rem; letter-spacing: -.01em; }
.facts-line { margin: 0 0 .75rem; font-size: 1.05rem; }
.ways { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .75rem 0 0; padding: .5rem 0; border-bottom: 1px solid var(--line); list-style: none; }
.cols { display: grid; grid-template-columns: minmax(0, 1fr) repeat(var(--runs, 2), minmax(5.5rem, 8.5rem)); gap: .25rem 1rem; align-items: start; }
.runs-3 { --runs: 3; } .runs-4 { --runs: 4; } .runs-5 { --runs: 5; } .runs-6 { --runs: 6; }
.heads { position: sticky; top: 0; z-index: 3; background: var(--back); padding: .35rem 0 .35rem 1.1rem; color: var(--dim); font-size: .85rem; font-weight: 600; border-bottom: 1px solid var(--line); }
.req { border-bottom: 1px solid var(--line); }
.req > summary { position: relative; padding: .5rem 0 .5rem 1.1rem; cursor: pointer; list-style: none; }
.req > summary::-webkit-details-marker { display: none; }
.req > summary::before { content: '▸'; position: absolute; left: 0; color: var(--dim); }
.req[open] > summary::before { content: '▾'; }
.req > summary:hover { background: var(--panel); }
.req .what .dim { display: block; font-size: .85rem; }
.fraction { font-variant-numeric: tabular-nums; }
.fraction.failed, .fraction.blocked { font-weight: 600; color: var(--mark); }
.fraction.none { color: var(--dim); }
.fraction .run { display: none; }
.share { display: block; width: 100%; height: 5px; margin-top: .2rem; border-radius: 3px;
  background: linear-gradient(to right, var(--passed) var(--part), var(--mark) var(--part)); }
.none .share, .skipped .share, .not-supported .share { background: var(--line); }
.cases { padding: 0 0 .75rem 1.1rem; }
.cases li { margin: .35rem 0; }
.result { display: block; font-size: .9rem; }
.result b { font-weight: 600; color: var(--mark); }
.rest > summary, .equal > summary { padding: .6rem 0; cursor: pointer; color: var(--link); }
.whole { border-left: 4px solid var(--failed); padding-left: .75rem; }
.map { font-size: .8rem; overflow-wrap: normal; }
.map th, .map td { padding: 1px; border: 0; }
.map thead th { padding: .3rem 1px; min-width: 2.8rem; vertical-align: bottom; font-weight: 400; }
.map thead span { display: block; margin: 0 auto; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
.map tbody th, .map thead td { position: sticky; left: 0; z-index: 2; padding-right: .8rem; background: var(--back); font-weight: 400; white-space: nowrap; }
.map .group th { padding-top: .6rem; color: var(--dim); font-weight: 600; }
.square { min-width: 2.8rem; padding: .16rem .3rem; }
.square.none { min-height: 1.5rem; }
b.worse { color: var(--failed); } b.better { color: var(--passed); }
.square b { font-size: .7rem; color: inherit; }
${steps}
.runs-table, .chapters-table { width: 100%; overflow-wrap: normal; }
.runs-table th { font-weight: 600; }
@media (max-width: 48rem) {
  h1 { font-size: 1.35rem; }
  .heads { display: none; }
  .cols { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .cols .what { grid-column: 1 / -1; }
  .fraction .run { display: inline; color: var(--dim); font-weight: 400; }
}
@media print {
  .map { font-size: 6.5pt; }
  .map thead th, .square { min-width: 0; }
  .square { padding: .1rem .4rem .1rem .1rem; }
  .map tbody th, .map thead td { position: static; padding-right: .3rem; }
}
`;
