'use client'

import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { Moment } from '@/components/shell/moment'
import { useCloud } from '@/components/shell/use-cloud'
import { Disclosure } from '@/components/ui/disclosure'
import { findingMutesOptions } from '@/lib/api/finding-mutes'
import { actorLabel } from '@/lib/domain/wording'
import { formatNoun } from '@/lib/util/format'
import { findingsPath } from '@/lib/util/paths'
import { MuteButton } from './mute-button'
import { UnmuteButton } from './unmute-button'

/** The muted kinds of findings, with who muted them, why and until when. */
export const MutedKinds = () => {
  const { cloud } = useCloud()
  const { data } = useQuery(findingMutesOptions({ cloud }))
  const mutes = data?.mutes ?? []
  if (mutes.length === 0) return null
  const hidden = mutes.reduce((sum, { findings }) => sum + findings, 0)
  return (
    <div className="mb-2.5">
      <Disclosure
        summary={`${formatNoun(mutes.length, 'kind')} muted, with ${formatNoun(hidden, 'finding that is', 'findings that are')} not counted`}
      >
        <ul aria-label="Muted kinds" className="mt-1 rounded-panel border border-line bg-panel text-body">
          {mutes.map(({ code, title, by, until, note, findings }) => (
            <li
              key={code}
              className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-line2 border-b px-3.5 py-2 last:border-b-0"
            >
              <div className="min-w-0 flex-1 basis-80">
                <Link
                  href={findingsPath({ cloud, search: { code, state: 'muted' } })}
                  prefetch={false}
                  className="font-[550] hover:text-accent-ink hover:underline"
                >
                  {title}
                </Link>{' '}
                <span className="text-ink2 text-small">{formatNoun(findings, 'finding')}</span>
                <p className="break-words text-ink2 text-small">
                  Muted by {actorLabel(by)}, ends <Moment at={until} form="future" />: “{note}”
                </p>
              </div>
              <div className="flex gap-2">
                <MuteButton code={code} title={title} note={note} label="Change note or date" size="small" />
                <UnmuteButton code={code} title={title} size="small" />
              </div>
            </li>
          ))}
        </ul>
      </Disclosure>
    </div>
  )
}
