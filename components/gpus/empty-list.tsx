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
      title="No pGPU is known yet"
      action={
        <Link href={agentSettingsPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
          Add a host
        </Link>
      }
    >
      A host’s GPUs appear here with its agent’s first report. A host that reports no GPUs is listed under
      Hosts.
    </EmptyState>
  )
}
