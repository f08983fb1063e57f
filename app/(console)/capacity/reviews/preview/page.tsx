import type { Metadata } from 'next'
import { PreviewPage } from '@/components/review/preview-page'

export const metadata: Metadata = { title: 'Preview of a review' }

const Page = () => <PreviewPage />

export default Page
