import type { Metadata } from 'next'
import { NewTypePage } from '@/components/change/new-type-page'

export const metadata: Metadata = { title: 'Change vGPU type' }

const Page = () => <NewTypePage />

export default Page
