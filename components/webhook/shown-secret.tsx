import { CopyLine } from '@/components/ui/copyable'
import type { ShownSecret } from '@/lib/schemas/api/webhook'

/** The secret, once, and what the receiver does with it. */
export const ShownSecretPanel = ({ shown: { secret } }: { shown: ShownSecret }) => (
  <div className="flex flex-col gap-3">
    <p>Copy it now. It stands nowhere else and is not shown again.</p>
    <CopyLine text={secret} label="Copy the secret" takesFocus />
    <p className="text-ink2 text-small">
      Each message carries the header <code>Sliceboard-Signature: t=…,v1=…</code>: the time in seconds, and
      the HMAC-SHA256 in hex of that time, a full stop and the body, with this secret as key. A receiver of
      your own compares it before it believes a message. Slack and Mattermost don't look at it.
    </p>
  </div>
)
