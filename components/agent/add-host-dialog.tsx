'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import type { CreatedJoinToken } from '@/lib/schemas/api/agents'
import { CreatedJoinTokenPanel } from './created-join-token'
import { JoinTokenForm } from './join-token-form'

/** Add host: a join token and the line that uses it. */
export const AddHostDialog = ({ cloud }: { cloud: string }) => {
  const [created, setCreated] = useState<CreatedJoinToken | null>(null)
  return (
    <Dialog onOpenChange={(isOpen) => isOpen && setCreated(null)}>
      <DialogTrigger asChild>
        <Button variant="main">
          <Plus size={14} aria-hidden />
          Add host
        </Button>
      </DialogTrigger>
      <DialogContent
        width={created === null ? 'normal' : 'wide'}
        title={created === null ? `Add hosts to ${cloud}` : 'Install the agent'}
        description={created === null ? 'Creates a join token and shows the install command.' : null}
      >
        {created === null ? (
          <JoinTokenForm cloud={cloud} onCreated={setCreated} />
        ) : (
          <>
            <CreatedJoinTokenPanel token={created} cloud={cloud} />
            <div className="mt-3 flex justify-end">
              <DialogClose asChild>
                <Button>Done</Button>
              </DialogClose>
            </div>
          </>
        )}
      </DialogContent>
    </Dialog>
  )
}
