'use client'

import dynamic from 'next/dynamic'

const loadDrawer = () => import('./gpu-drawer')
const loadBar = () => import('./selection-bar')

/** What a row opens when it is clicked, and when it is selected. */
export const LazyGpuDrawer = dynamic(() => loadDrawer().then((module) => module.GpuDrawer), { ssr: false })
export const LazySelectionBar = dynamic(() => loadBar().then((module) => module.SelectionBar), { ssr: false })

/** Below the header of the page; the list does not wait for it. */
export const LazyViewTabs = dynamic(() => import('./view-tabs').then((module) => module.ViewTabs), {
  ssr: false,
})

/** Loads both; the list calls it when a row is first pointed at or gets the focus. */
export const prepareLazyParts = (): void => {
  void loadDrawer()
  void loadBar()
}
