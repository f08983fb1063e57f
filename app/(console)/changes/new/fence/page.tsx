import type { Metadata } from 'next'
import { NewFencePage } from '@/components/fence/new-fence-page'

export const metadata: Metadata = { title: 'Keep room for GPUs' }

const Page = () => <NewFencePage />

export default Page
