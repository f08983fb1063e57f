import type { Metadata } from 'next'
import { HostPage } from '@/components/host/host-page'

type Props = { params: Promise<{ host: string }> }

const readHost = async ({ params }: Props) => decodeURIComponent((await params).host).toLowerCase()

export const generateMetadata = async (props: Props): Promise<Metadata> => ({ title: await readHost(props) })

const Page = async (props: Props) => <HostPage host={await readHost(props)} />

export default Page
