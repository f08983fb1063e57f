import type { Metadata } from 'next'
import { GpusPage } from '@/components/gpus/gpus-page'

export const metadata: Metadata = { title: 'GPUs' }

const Page = () => <GpusPage />

export default Page
