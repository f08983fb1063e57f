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
          Cloud settings
        </Link>
      }
    >
      {source} The first round ends within a minute. If no cloud is connected, add one to clouds.yaml (see
      docs/operating.md). Overview shows the data that the hosts report.
    </EmptyState>
  )
}
