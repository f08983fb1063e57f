import Link from 'next/link'
import type { ReactNode } from 'react'
import { buttonStyle } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/states'
import { gpusPath } from '@/lib/util/paths'

/** A plan was requested without any objects. */
export const NoneChosen = ({ cloud, children }: { cloud: string | null; children: ReactNode }) => (
  <EmptyState
    title="No pGPU selected"
    action={
      <Link href={gpusPath({ cloud })} className={buttonStyle({ variant: 'main' })}>
        Select pGPUs
      </Link>
    }
  >
    {children}
  </EmptyState>
)
