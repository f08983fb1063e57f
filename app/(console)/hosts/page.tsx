import type { Metadata } from 'next'
import { HostsPage } from '@/components/host/hosts-page'

export const metadata: Metadata = { title: 'Hosts' }

const Page = () => <HostsPage />

export default Page
