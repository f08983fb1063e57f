import type { Metadata } from 'next'
import { PlainPage } from '@/components/shell/plain-page'
import { overviewPath } from '@/lib/util/paths'

export const metadata: Metadata = { title: 'Not found' }

const NotFound = () => (
  <PlainPage title="There is no such page">
    <p className="text-ink2">The address may be mistyped, or the page has moved.</p>
    <a href={overviewPath()} className="text-accent-ink underline">
      To the overview
    </a>
  </PlainPage>
)

export default NotFound
