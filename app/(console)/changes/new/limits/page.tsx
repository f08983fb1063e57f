import type { Metadata } from 'next'
import { NewLimitsPage } from '@/components/quota/new-limits-page'

export const metadata: Metadata = { title: 'Limits' }

const Page = () => <NewLimitsPage />

export default Page
