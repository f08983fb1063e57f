import type { Metadata } from 'next'
import { overviewPath } from '@/lib/util/paths'

export const metadata: Metadata = { title: 'Not found' }

const NotFound = () => (
  <main className="mx-auto flex min-h-screen max-w-[58ch] flex-col items-center justify-center gap-2 px-4 text-center">
    <h1 className="m-0 font-[650] text-title">There is no such page</h1>
    <p className="text-ink2">The address may be mistyped, or the page has moved.</p>
    <a href={overviewPath()} className="text-accent-ink underline">
      To the overview
    </a>
  </main>
)

export default NotFound
