/** Loaded together, after the first paint. */
export { NavFooter } from './nav-footer'
export { PageWatchers } from './page-watchers'
export { PrintedContext } from './printed-context'
