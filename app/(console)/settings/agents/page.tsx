import type { Metadata } from 'next'
import { AgentsPage } from '@/components/agent/agents-page'

export const metadata: Metadata = { title: 'Agents' }

const Page = () => <AgentsPage />

export default Page
