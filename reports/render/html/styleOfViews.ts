// The style of the views: filter, matrix, chapters, requirements, lists; the failures beside the map, the pane of a cell.

export const styleOfViews = `
.scroll { position: relative; overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { font-weight: 600; color: var(--dim); font-size: .85rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.number a { color: var(--mark, var(--link)); }
.zero { color: var(--dim); }
.chip { display: inline-block; padding: 0 .5rem; border: 1px solid var(--mark); border-radius: 1rem; color: var(--mark);
  font-size: .8rem; font-weight: 400; line-height: 1.5; white-space: nowrap; }
.chip.failed, .chip.blocked { background: var(--mark); color: var(--on); }
.chip.unobservable, .chip.untested { border-style: dashed; }
.filters { margin: 0; }
.filter { margin-top: .6rem; padding-top: .5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.ask { flex: none; align-self: center; }
.ask.active { border-color: var(--link); color: var(--link); font-weight: 600; }
.quiet .answer { display: none; }
.answer .wrong { flex-basis: 100%; color: var(--failed); }
.answer .wrong:empty { display: none; }
.filter form { display: grid; grid-template-columns: minmax(13rem, 2fr) repeat(6, minmax(7rem, 1fr)); gap: .6rem .8rem; padding: .2rem .8rem .8rem; }
.filter form > label span { display: block; color: var(--dim); font-size: .8rem; }
.filter fieldset { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: 0; padding: 0; border: 0; }
.filter legend { float: left; margin-right: .4rem; color: var(--dim); font-size: .8rem; line-height: 1.9; }
.toggle { white-space: nowrap; }
.toggle input { accent-color: var(--mark); }
.toggle span { color: var(--mark); font-weight: 700; }
input[type="search"], select { width: 100%; padding: .35rem .5rem; border: 1px solid var(--dim); border-radius: 6px;
  background: var(--back); color: var(--text); font: inherit; }
button { padding: .25rem .7rem; border: 1px solid var(--dim); border-radius: 6px; background: var(--back); color: var(--text);
  font: inherit; font-size: .85rem; cursor: pointer; }
button:hover { border-color: var(--link); color: var(--link); }
.answer { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; margin: .5rem 0; min-height: 2rem; font-size: .9rem; }
.answer p { margin: 0; color: var(--dim); }
.also { display: flex; flex-wrap: wrap; gap: .4rem; margin: 0; padding: 0; list-style: none; min-width: 0; }
.also button { padding: .05rem .6rem; border-radius: 1rem; text-align: left; }
.answer .clear { border: 0; background: none; color: var(--link); text-decoration: underline; }
.choice { margin: .5rem 0 0; font-size: .8rem; }
.choice select { width: auto; padding: .1rem .3rem; }
.matrix { font-size: .75rem; line-height: 1.15; overflow-wrap: normal; }
.matrix th, .matrix td { padding: 1px; border: 0; }
.matrix thead th { position: relative; height: 4.7rem; padding-top: .3rem; min-width: 2.2rem; font-size: .68rem; vertical-align: bottom; }
.matrix thead a { display: block; margin: 0 auto; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; }
.matrix th a { color: var(--text); font-weight: 400; text-decoration: none; }
.matrix wbr { display: none; }
.matrix th a:hover { text-decoration: underline; }
.matrix tbody th, .matrix thead td { position: sticky; left: 0; z-index: 2; padding-right: .5rem; background: var(--back); white-space: nowrap; }
h3.others { margin: 1rem 0 .2rem; font-size: .95rem; }
.matrix tr.group th { padding-top: .5rem; color: var(--dim); font-weight: 600; }
.matrix td.note { padding-left: .5rem; color: var(--dim); }
.matrix td.note span { display: block; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.matrix .first th a { font-weight: 600; }
.matrix .first > * { padding-top: .25rem; }
.cell { --weight: 55%; --good: 0%; --odd: 0%; display: block; min-width: 2.15rem; padding: 0 .15rem; border-radius: 3px; text-align: center;
  white-space: nowrap; font-variant-numeric: tabular-nums; letter-spacing: -.02em; color: var(--text); text-decoration: none;
  background: linear-gradient(90deg, color-mix(in srgb, var(--passed) 20%, var(--back)) 0 var(--good),
    color-mix(in srgb, var(--known-deviation) 38%, var(--back)) var(--good) var(--odd),
    color-mix(in srgb, var(--mark) var(--weight), var(--back)) var(--odd) 100%); }
.cell.passed, .cell.known-deviation { --weight: 20%; --odd: 0%; }
.cell.known-deviation { --weight: 38%; }

.cell.long { font-size: .66rem; line-height: 1.31; letter-spacing: -.04em; }
.cell .sign { margin-right: .2rem; font-size: .85em; }
a.cell:hover, a.cell:focus-visible { outline: 2px solid var(--link); outline-offset: 0; }
.cell.failed, .cell.blocked { box-shadow: inset 0 -2px 0 var(--mark); }
.cell.failed .sign, .cell.blocked .sign { color: inherit; }
.cell.recommended { --weight: 26%; box-shadow: inset 0 -1px 0 color-mix(in srgb, var(--mark) 60%, var(--back)); }
.cell.not-supported, .cell.skipped { background: none; box-shadow: inset 0 0 0 1px var(--line); color: var(--dim); }
.cell.none { min-height: .84rem; background: none; box-shadow: inset 0 0 0 1px var(--line); }
.cell.passed.partial { background: repeating-linear-gradient(135deg,
  color-mix(in srgb, var(--mark) 20%, var(--back)) 0 7px, color-mix(in srgb, var(--mark) 12%, var(--back)) 7px 14px); }
.parts { display: grid; gap: 1px; }
.parts .cell { min-width: 2.9rem; padding: 0 .25rem; border-radius: 2px; font-size: .72rem; line-height: 1.5; }
.legend, .beyond ul { display: flex; flex-wrap: wrap; gap: .25rem .9rem; margin: .5rem 0 0; padding: 0; list-style: none; font-size: .75rem; }
.legend, .beyond { width: 0; min-width: 100%; }
.legend .cell, .beyond .cell { display: inline-block; min-width: 1.7rem; margin-right: .4rem; }
.legend b { margin-right: .4rem; }
.beyond { margin-top: .5rem; font-size: .8rem; }
.chapters { width: 100%; }
.chapters th { font-weight: 500; }
.chapters .wide { width: 34%; min-width: 6rem; vertical-align: middle; }
.requirements { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 0; }
.requirements thead th { position: sticky; top: 2.75rem; z-index: 3; background: var(--back); }
.requirements .what { width: 47%; }
.requirements .level { width: 7.5rem; white-space: nowrap; }
.requirements .where { width: 22%; }
.requirements .state { width: 24%; }
.requirements code { display: block; color: var(--dim); }
.requirements small, .requirements .counts { display: block; font-size: .85rem; }
.requirements .chapter th { padding-top: 1.2rem; font-size: 1rem; }
.requirements .chapter .dim { margin-left: .5rem; font-size: .85rem; font-weight: 400; }
.requirements .folded .chapter th { padding-top: .5rem; }
.requirements .folded .row { display: none; }
button.name { padding: 0 .3rem; border: 0; background: none; font-size: 1rem; font-weight: 600; }
button.name::before { content: '▾'; display: inline-block; width: 1.1em; color: var(--dim); }
button.name[aria-expanded='false']::before { content: '▸'; }
.more { margin: 0; border: 0; }
.more > summary { cursor: pointer; color: var(--dim); font-size: .85rem; }
.compared { width: 100%; table-layout: fixed; min-width: 44rem; }
.compared th { font-weight: 500; }
.compared th:first-child, .compared thead td { width: 34%; }
.compared thead th { position: sticky; top: 0; background: var(--back); font-weight: 600; }
.compared code, .compared small { display: block; color: var(--dim); }
.compared small { font-size: .85rem; }
.compared .one th { padding-left: 1.6rem; font-weight: 400; }
.compared .one td, .compared .one th { border-bottom-style: dotted; }
.chapter-fold { border-top: 1px solid var(--line); }
.chapter-fold > summary { padding: .4rem 0; cursor: pointer; }
.entries { margin: .5rem 0; padding: 0; list-style: none; }
.entries li { padding: .6rem 0; border-top: 1px solid var(--line); }
.entries .plain li { padding: .15rem 0; border: 0; }
.entries h3 { margin: 0 0 .25rem; }
.reasons { width: 100%; }
.chapters, .reasons th, .reasons .level { overflow-wrap: normal; }
.ids li { white-space: pre-line; }
.plain, .ids { padding-left: 1.2rem; }
.message { white-space: pre-wrap; }
.nothing { padding: 2rem 0; color: var(--dim); }
@media (max-width: 66rem) {
  .filter form { grid-template-columns: repeat(3, 1fr); }
  .filter .search { grid-column: 1 / -1; }
}
@media screen and (max-width: 48rem) {
  .filter form { grid-template-columns: 1fr 1fr; }
  .requirements, .requirements tbody, .requirements tr, .requirements td, .requirements .chapter th { display: block; width: auto !important; }
  .requirements thead { display: none; }
  .requirements td { padding: .1rem 0; border: 0; }
  .requirements td.level, .requirements td.where, .requirements td.where small { display: inline; margin-right: .6rem; color: var(--dim); font-size: .85rem; }
  .requirements .row { padding: .6rem 0; border-bottom: 1px solid var(--line); }
}

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
.cause .since { white-space: nowrap; }
.cause .fraction { color: var(--mark); white-space: nowrap; }
.cause .share { display: block; width: 100%; height: 3px; border-radius: 2px; background: var(--panel); }
.cause .example { display: -webkit-box; -webkit-line-clamp: 4; -webkit-box-orient: vertical; overflow: hidden; }
.cause .example code { font-size: 11.5px; }
.cause.off > a, .cause.off > p { opacity: .55; }
.cause .cause { border-left-width: 2px; }
.symptoms .cause:last-child { border-bottom: 0; }
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
@media (min-width: 68rem) {
  .overview { grid-template-columns: minmax(0, 1fr) fit-content(50rem); }
  .overview .causes { max-height: calc(100vh - var(--head, 9.5rem)); min-height: 24rem; padding-bottom: 2rem; overflow-y: auto;
    mask-image: linear-gradient(#000 calc(100% - 2rem), transparent); }
}
@media (max-width: 119.99rem) {
  .pane { position: absolute; z-index: 6; width: min(24rem, 92vw); box-shadow: 0 6px 24px rgb(0 0 0 / .25); background: var(--back); pointer-events: none; }
  .pane:empty, html:not(.pointing) .pane { display: none; }
}
@media (max-width: 40rem) {
  .chapters .wide, .reasons thead { display: none; }
  .chapters th, .chapters td { padding: .35rem .3rem; }
  .reasons, .reasons tbody, .reasons tr, .reasons td { display: block; }
  .reasons td { padding: .1rem 0; border: 0; text-align: left; }
  .reasons tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  .map .matrix { width: 100%; table-layout: fixed; }
  .counted { display: none; }
  .map .matrix:not(.split) .cell { min-width: 0; height: 1rem; font-size: 0; }
  .map .matrix:not(.split) thead th { min-width: 0; }
  .map .matrix thead td { width: 6.6rem; }
  .map .matrix tbody th { overflow-wrap: break-word; white-space: normal; }
  .matrix wbr { display: inline; }
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
