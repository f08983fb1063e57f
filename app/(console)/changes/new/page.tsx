import type { Metadata } from 'next'
import { NewTraitsPage } from '@/components/change/new-traits-page'

export const metadata: Metadata = { title: 'Tag with traits' }

const Page = () => <NewTraitsPage />

export default Page
