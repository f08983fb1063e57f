'use client'

import Link from 'next/link'
import { useCloud } from '@/components/shell/use-cloud'
import { buttonStyle } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/states'
import { cloudSettingsPath } from '@/lib/util/paths'

/** No round of reading has ended. `source`: where that comes from what the page shows, in a sentence. */
export const NotReadYet = ({ source }: { source: string }) => {
  const { cloud } = useCloud()
  return (
    <EmptyState
      title="OpenStack has not been read yet"
      action={
        <Link href={cloudSettingsPath({ cloud })} className={buttonStyle({ variant: 'plain' })}>
          How the cloud is read
        </Link>
      }
    >
      {source} The first round ends within a minute; where no cloud is connected yet, put it into clouds.yaml
      as docs/operating.md says. What the hosts say of themselves stands on the Overview meanwhile.
    </EmptyState>
  )
}
