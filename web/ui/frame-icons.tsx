/** Icons of the frame, and of states that any screen may show while it loads. */
import BookOpen from 'lucide-react/icons/book-open'
import CalendarClock from 'lucide-react/icons/calendar-clock'
import ChartArea from 'lucide-react/icons/chart-area'
import Check from 'lucide-react/icons/check'
import ChevronRight from 'lucide-react/icons/chevron-right'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleUserRound from 'lucide-react/icons/circle-user-round'
import CircleX from 'lucide-react/icons/circle-x'
import CloudOff from 'lucide-react/icons/cloud-off'
import ExternalLink from 'lucide-react/icons/external-link'
import House from 'lucide-react/icons/house'
import Info from 'lucide-react/icons/info'
import KeyRound from 'lucide-react/icons/key-round'
import LayoutDashboard from 'lucide-react/icons/layout-dashboard'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import Menu from 'lucide-react/icons/menu'
import Moon from 'lucide-react/icons/moon'
import Network from 'lucide-react/icons/network'
import Plus from 'lucide-react/icons/plus'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import ScrollText from 'lucide-react/icons/scroll-text'
import Search from 'lucide-react/icons/search'
import Settings from 'lucide-react/icons/settings'
import Star from 'lucide-react/icons/star'
import Sun from 'lucide-react/icons/sun'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import Waypoints from 'lucide-react/icons/waypoints'
import X from 'lucide-react/icons/x'
import { cx } from './cx.ts'
import { icon } from './icon.tsx'
import type { Icon } from './icon.tsx'

export const AlertIcon = icon(TriangleAlert)
export const BookIcon = icon(BookOpen)
export const ChartIcon = icon(ChartArea)
export const CheckIcon = icon(Check)
export const ChevronRightIcon = icon(ChevronRight)
export const CircleCheckIcon = icon(CircleCheck)
export const CircleXIcon = icon(CircleX)
export const CloseIcon = icon(X)
export const CrawlIcon = icon(Waypoints)
export const DashboardIcon = icon(LayoutDashboard)
export const ExternalIcon = icon(ExternalLink)
export const HomeIcon = icon(House)
export const InfoIcon = icon(Info)
export const KeyIcon = icon(KeyRound)
export const LogsIcon = icon(ScrollText)
export const MenuIcon = icon(Menu)
export const MoonIcon = icon(Moon)
export const OfflineIcon = icon(CloudOff)
export const PlusIcon = icon(Plus)
export const ProfileIcon = icon(CircleUserRound)
export const RefreshIcon = icon(RefreshCw)
export const ScheduleIcon = icon(CalendarClock)
export const SearchIcon = icon(Search)
export const SettingsIcon = icon(Settings)
export const SitemapIcon = icon(Network)
export const StarIcon = icon(Star)
export const SunIcon = icon(Sun)
export const UpDownIcon = icon(ChevronsUpDown)

const Ring = icon(LoaderCircle)

/** A spinning ring: in progress. */
export const SpinnerIcon: Icon = ({ className }) => <Ring className={cx('animate-spin', className)} />
