import type { Metadata } from 'next'
import { NewReservationPage } from '@/components/reservation/new-reservation-page'

export const metadata: Metadata = { title: 'Reserve capacity for GPU servers' }

const Page = () => <NewReservationPage />

export default Page
