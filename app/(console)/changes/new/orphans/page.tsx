import type { Metadata } from 'next'
import { NewOrphansPage } from '@/components/change/new-orphans-page'

export const metadata: Metadata = { title: 'Remove orphaned mdevs' }

const Page = () => <NewOrphansPage />

export default Page
