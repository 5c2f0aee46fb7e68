/** Icons that only other screens use. One that the frame needs belongs in `frame-icons.tsx`, one of runs in `run-icons.tsx`. */
import Bug from 'lucide-react/icons/bug'
import Languages from 'lucide-react/icons/languages'
import Link2 from 'lucide-react/icons/link-2'
import Lock from 'lucide-react/icons/lock'
import LogOut from 'lucide-react/icons/log-out'
import Mail from 'lucide-react/icons/mail'
import MessageCircle from 'lucide-react/icons/message-circle'
import UserRoundPlus from 'lucide-react/icons/user-round-plus'
import { icon } from './icon.tsx'

export const BugIcon = icon(Bug)
export const DiscussionIcon = icon(MessageCircle)
export const LanguageIcon = icon(Languages)
export const LinkIcon = icon(Link2)
export const LockIcon = icon(Lock)
export const LogoutIcon = icon(LogOut)
export const MailIcon = icon(Mail)
export const UserPlusIcon = icon(UserRoundPlus)
