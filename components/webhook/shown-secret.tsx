import { CopyLine } from '@/components/ui/copyable'
import type { ShownSecret } from '@/lib/schemas/api/webhook'

/** The secret, once, and what the receiver does with it. */
export const ShownSecretPanel = ({ shown: { secret } }: { shown: ShownSecret }) => (
  <div className="flex flex-col gap-3">
    <p>Copy the secret now. It will not be shown again.</p>
    <CopyLine text={secret} label="Copy the secret" takesFocus />
    <p className="text-ink2 text-small">
      Each message has the header <code>Sliceboard-Signature: t=…,v1=…</code>. t is the time in seconds. v1 is
      the HMAC-SHA256 (hex) of t, a full stop and the body, with this secret as the key. Verify it in your
      receiver. Slack and Mattermost ignore it.
    </p>
  </div>
)
