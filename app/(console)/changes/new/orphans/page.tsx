import type { Metadata } from 'next'
import { NewOrphansPage } from '@/components/change/new-orphans-page'

export const metadata: Metadata = { title: 'Remove orphan mdevs' }

const Page = () => <NewOrphansPage />

export default Page
