'use client'

import Link from 'next/link'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/states'
import { agentSettingsPath } from '@/lib/util/paths'

/** Shown until an agent has reported a pGPU. */
export const FirstUse = () => {
  const { cloud } = useCloud()
  return (
    <EmptyState
      title="No pGPUs yet"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
          Add host
        </Link>
      }
    >
      The GPUs of a host are listed here after the first report of its agent. Hosts without GPUs are listed
      under Hosts.
    </EmptyState>
  )
}
