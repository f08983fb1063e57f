/** Next calls this by its name, whenever its router sets out for a page. */
export { leavePage as onRouterTransitionStart } from '@/components/shell/leave-page'
