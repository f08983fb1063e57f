import type { ReactNode } from 'react'

/** A page without the console's layout: a title and content in the middle of the window. */
export const PlainPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="mx-auto flex min-h-screen max-w-[58ch] flex-col items-center justify-center gap-2 px-4 text-center">
    <h1 className="m-0 font-[650] text-title">{title}</h1>
    {children}
  </main>
)
