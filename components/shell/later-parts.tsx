'use client'

import dynamic from 'next/dynamic'

/** Not needed for the first paint. */
const extras = () => import('./shell-extras')

export const PageWatchers = dynamic(() => extras().then((module) => module.PageWatchers), { ssr: false })
export const NavFooter = dynamic(() => extras().then((module) => module.NavFooter), {
  ssr: false,
  loading: () => <div className="h-6" />,
})
export const PrintedContext = dynamic(() => extras().then((module) => module.PrintedContext), {
  ssr: false,
})
