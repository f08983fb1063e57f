import type { Metadata } from 'next'
import { NewFencePage } from '@/components/fence/new-fence-page'

export const metadata: Metadata = { title: 'Reserve capacity for GPU servers' }

const Page = () => <NewFencePage />

export default Page
