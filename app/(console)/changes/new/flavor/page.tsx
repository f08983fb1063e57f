import type { Metadata } from 'next'
import { NewFlavorPage } from '@/components/flavor-builder/new-flavor-page'

export const metadata: Metadata = { title: 'Flavor' }

const Page = () => <NewFlavorPage />

export default Page
