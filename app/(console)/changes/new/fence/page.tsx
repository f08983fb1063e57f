import type { Metadata } from 'next'
import { NewReservationPage } from '@/components/fence/new-fence-page'

export const metadata: Metadata = { title: 'Reserve capacity for GPU servers' }

const Page = () => <NewReservationPage />

export default Page
