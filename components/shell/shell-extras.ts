/** Loaded together, after the first paint. */
export { DataAgeNote } from './data-age-note'
export { NavFooter } from './nav-footer'
export { PageWatchers } from './page-watchers'
export { PrintedContext } from './printed-context'
