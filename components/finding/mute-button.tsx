'use client'

import dynamic from 'next/dynamic'
import { type ComponentProps, useState } from 'react'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'

/** Loaded on demand: most visits only read. */
const MuteDialog = dynamic(() => import('./mute-dialog').then((module) => module.MuteDialog))

/** Opens the form that mutes a kind of finding. */
export const MuteButton = ({
  code,
  title,
  note = '',
  label = 'Mute kind',
  ...style
}: {
  code: string
  title: string
  note?: string
  label?: string
} & Pick<ComponentProps<typeof Button>, 'size' | 'variant'>) => {
  const refusal = useRefusal('finding.acknowledge')
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <>
      <Tooltip content={refusal}>
        <Button
          {...style}
          aria-label={`${label}: ${title}`}
          aria-haspopup="dialog"
          isUnavailable={refusal !== null}
          onClick={() => {
            setWasOpened(true)
            setIsOpen(true)
          }}
        >
          {label}
        </Button>
      </Tooltip>
      {wasOpened ? (
        <MuteDialog code={code} title={title} note={note} isOpen={isOpen} onOpenChange={setIsOpen} />
      ) : null}
    </>
  )
}
