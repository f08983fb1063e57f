'use client'

import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import Link from 'next/link'
import { useEffect, useState } from 'react'
import { useCloud } from '@/components/shell/use-cloud'
import { Button, buttonStyle } from '@/components/ui/button'
import { readStoredText, storeText } from '@/components/ui/stored-text'
import { onboardingOptions } from '@/lib/api/onboarding'
import { accountOptions } from '@/lib/api/session'
import type { Onboarding } from '@/lib/schemas/api/onboarding'
import { SET_UP_TEXTS } from './set-up-texts'

const STARTED = 'started'
const DISMISSED = 'dismissed'

const StepRow = ({ step, isDone, cloud }: Onboarding['steps'][number] & { cloud: string | null }) => {
  const { title, text, action, path } = SET_UP_TEXTS[step]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line2 border-t py-2">
      <span
        className={
          isDone
            ? 'inline-flex size-[19px] flex-none items-center justify-center rounded-full bg-accent text-on-accent'
            : 'inline-flex size-[19px] flex-none rounded-full border-[1.5px] border-line'
        }
      >
        {isDone ? <Check size={12} aria-hidden strokeWidth={3} /> : null}
      </span>
      <span className="min-w-0 flex-1 basis-64">
        <span className={isDone ? 'text-ink2' : 'font-[550]'}>{title}</span>
        <span className="sr-only">{isDone ? ', done' : ', not done'}</span>
        {isDone ? null : <span className="block text-ink2 text-small">{text}</span>}
      </span>
      {isDone ? null : (
        <Link href={path(cloud)} prefetch={false} className={buttonStyle({ size: 'small' })}>
          {action}
        </Link>
      )}
    </li>
  )
}

/**
 * The steps of a new console, by its state. It appears in a console without hosts, and stays until every step is done or it
 * is dismissed.
 */
const Checklist = ({ isEmpty, onDismiss }: { isEmpty: boolean; onDismiss: () => void }) => {
  const { cloud } = useCloud()
  const { data } = useQuery(onboardingOptions({ cloud }))
  if (data === undefined) return null
  const done = data.steps.filter(({ isDone }) => isDone).length
  if (done === data.steps.length) return null
  return (
    <details
      open={isEmpty}
      aria-label="Set up this console"
      className="mb-3.5 rounded-panel border border-line bg-panel px-3.5 py-2 print:hidden"
    >
      <summary className="min-h-6 cursor-pointer py-[3px] marker:text-ink3">
        <span className="font-semibold">Set up this console</span>{' '}
        <span className="text-ink2 tabular-nums">
          {done} of {data.steps.length} steps done
        </span>
      </summary>
      <ol className="mt-1.5">
        {data.steps.map((entry) => (
          <StepRow key={entry.step} {...entry} cloud={cloud} />
        ))}
      </ol>
      <div className="flex justify-end border-line2 border-t pt-2">
        <Button size="small" onClick={onDismiss}>
          Dismiss checklist
        </Button>
      </div>
    </details>
  )
}

/** For admins, since a reader can perform no step. */
export const SetUpChecklist = ({ cloud, isEmpty }: { cloud: string; isEmpty: boolean }) => {
  const { data: account } = useQuery(accountOptions())
  const storageKey = `sliceboard-set-up:${cloud}`
  const [stored, setStored] = useState(() => readStoredText(storageKey))
  useEffect(() => {
    if (isEmpty && stored === null) storeText(storageKey, STARTED)
  }, [isEmpty, stored, storageKey])
  if (account?.role !== 'admin' || stored === DISMISSED || (stored === null && !isEmpty)) return null
  const dismiss = () => {
    storeText(storageKey, DISMISSED)
    setStored(DISMISSED)
  }
  return <Checklist isEmpty={isEmpty} onDismiss={dismiss} />
}
