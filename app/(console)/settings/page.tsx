import { redirect } from 'next/navigation'
import { agentSettingsPath } from '@/lib/util/paths'

const SettingsPage = async ({ searchParams }: { searchParams: Promise<{ cloud?: string | string[] }> }) => {
  const { cloud } = await searchParams
  redirect(agentSettingsPath({ cloud: typeof cloud === 'string' ? cloud : null }))
}

export default SettingsPage
