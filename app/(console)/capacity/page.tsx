import type { Metadata } from 'next'
import { CapacityPage } from '@/components/capacity/capacity-page'

export const metadata: Metadata = { title: 'Capacity' }

const Page = () => <CapacityPage />

export default Page
