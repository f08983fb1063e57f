'use client'

import dynamic from 'next/dynamic'

/** Not needed for the first paint. */
export const PageWatchers = dynamic(() => import('./page-watchers').then((module) => module.PageWatchers), {
  ssr: false,
})
export const NavFooter = dynamic(() => import('./nav-footer').then((module) => module.NavFooter), {
  ssr: false,
  loading: () => <div className="h-6" />,
})
