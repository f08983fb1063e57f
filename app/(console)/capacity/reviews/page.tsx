import type { Metadata } from 'next'
import { ReviewsPage } from '@/components/review/reviews-page'

export const metadata: Metadata = { title: 'Capacity reviews' }

const Page = () => <ReviewsPage />

export default Page
