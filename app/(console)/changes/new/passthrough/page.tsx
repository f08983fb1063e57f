import type { Metadata } from 'next'
import { NewPassthroughPage } from '@/components/change/new-passthrough-page'

export const metadata: Metadata = { title: 'Change passthrough' }

const Page = () => <NewPassthroughPage />

export default Page
