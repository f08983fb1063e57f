import type { Metadata } from 'next'
import { SetUpPage } from '@/components/limit-set-up/set-up-page'

export const metadata: Metadata = { title: 'Set up unified limits' }

const Page = () => <SetUpPage />

export default Page
