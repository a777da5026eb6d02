// The style of the first screen: the failures beside the map, and the pane of a cell.

export const styleOfOverview = `
.overview { position: relative; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 1.75rem; align-items: start; }
.overview h2 { margin: .6rem 0 .4rem; font-size: 1.05rem; }
.causes { position: relative; }
.fold > summary { padding: .5rem .6rem; cursor: pointer; color: var(--link); font-size: .9rem; }
.cause-list { margin: 0; padding: 0; list-style: none; }
.cause { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .1rem .5rem; padding: .5rem .25rem .5rem .6rem;
  border-left: 4px solid var(--mark); border-bottom: 1px solid var(--line); }
.cause.recommended { border-left-style: dotted; }
.cause > :not(.switch) { grid-column: 2; }
.cause p { margin: 0; font-size: .8rem; }
.cause > a { color: var(--text); text-decoration: none; line-height: 1.35; }
.cause > a:hover, .cause > a:focus-visible { text-decoration: underline; }
.cause .fraction { margin-left: .3rem; color: var(--mark); white-space: nowrap; }
.cause .share { display: block; width: 100%; height: 3px; border-radius: 2px; background: var(--panel); }
.cause .example { display: -webkit-box; -webkit-line-clamp: 4; -webkit-box-orient: vertical; overflow: hidden; }
.cause .example code { font-size: 11.5px; }
.cause.off > a, .cause.off p { opacity: .55; }
.switch { grid-row: 1 / span 4; padding-top: .1rem; }
.switch input { margin: 0; width: 1rem; height: 1rem; accent-color: var(--mark); }
.chapter-list { margin: 0; padding: 0; list-style: none; }
.chapter-list li { display: grid; grid-template-columns: minmax(6.5rem, 10rem) minmax(3rem, 1fr) auto; gap: .8rem; align-items: center;
  padding: .17rem 0; border-bottom: 1px solid var(--line); font-size: .9rem; }
.chapter-list .number { min-width: 6.5rem; color: var(--dim); font-size: .8rem; }
.pane { padding: .7rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); font-size: .85rem; }
.pane h3 { margin: 0 0 .2rem; font-size: .95rem; }
.pane ul { margin: .4rem 0 0; padding: 0; list-style: none; }
.pane li { display: grid; grid-template-columns: 1rem minmax(0, 1fr) auto; gap: .4rem; padding: .22rem 0; border-top: 1px solid var(--line); }
.pane .number { color: var(--dim); }
@media (max-width: 67.99rem) { .overview.green .map { order: -1; } }
@media (min-width: 68rem) {
  .overview { grid-template-columns: minmax(0, 1fr) fit-content(50rem); }
  .overview .causes { max-height: calc(100vh - var(--head, 9.5rem)); min-height: 24rem; overflow-y: auto; }
}
@media (max-width: 119.99rem) {
  .pane { position: absolute; z-index: 6; width: min(24rem, 92vw); box-shadow: 0 6px 24px rgb(0 0 0 / .25); background: var(--back); pointer-events: none; }
  .pane:empty, html:not(.pointing) .pane { display: none; }
}
@media (max-width: 47.99rem) { .pane { display: none; } .cause .example { -webkit-line-clamp: 7; } }
@media (min-width: 120rem) {
  .matrix { font-size: .85rem; }
  .matrix th, .matrix td { padding: 1.5px; }
  .cell { min-width: 2.5rem; }
  .cell.long { font-size: .74rem; }
  body { max-width: 120rem; }
  .overview { grid-template-columns: minmax(0, 1fr) fit-content(52rem) minmax(0, 1fr); }
  .pane { position: sticky; top: 3.5rem; min-height: 20rem; }
}
`;
