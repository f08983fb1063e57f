import type { Metadata } from 'next'
import { WhatIfPage } from '@/components/what-if/what-if-page'

export const metadata: Metadata = { title: 'Scenario planner' }

const Page = () => <WhatIfPage />

export default Page
