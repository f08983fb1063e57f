import type { Metadata } from 'next'
import { GpuPage } from '@/components/gpu-detail/gpu-page'

type Props = { params: Promise<{ host: string; address: string }> }

const readParams = async ({ params }: Props) => {
  const { host, address } = await params
  return { host: decodeURIComponent(host).toLowerCase(), address: decodeURIComponent(address).toLowerCase() }
}

export const generateMetadata = async (props: Props): Promise<Metadata> => {
  const { host, address } = await readParams(props)
  return { title: `${address} on ${host}` }
}

const Page = async (props: Props) => <GpuPage {...(await readParams(props))} />

export default Page
