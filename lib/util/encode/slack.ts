import { type Encoded, tagFor, trusted } from './encoded'
import { visible } from './visible'

/**
 * A text of Slack's mrkdwn. `&`, `<` and `>` are escaped, as docs.slack.dev asks; so no mention, link or date can be formed.
 * Send it with `verbatim: true`, or Slack makes links of addresses. Control, format and separator characters are replaced by
 * their code points.
 */
export const slackText = (text: string): Encoded<'slack'> =>
  trusted(visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))

/** A link of the console's own. `|` ends the address, so it is percent-encoded there and replaced by ¦ in the label. */
export const slackLink = ({ url, label }: { url: string; label: string }): Encoded<'slack'> =>
  trusted(
    `<${slackText(url).replaceAll('|', '%7C').replaceAll(' ', '%20')}|${slackText(label).replaceAll('|', '¦')}>`,
  )

/** Text of Slack's mrkdwn: slack`*${slackText(cloud)}*`. */
export const slack = tagFor<'slack'>()
