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

/** The clock of the browser is needed first anyway. */
export const DataAgeNote = dynamic(() => extras().then((module) => module.DataAgeNote), {
  ssr: false,
  loading: () => <span className="text-ink3 text-small">Data age …</span>,
})
