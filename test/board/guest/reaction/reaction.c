// SPDX-License-Identifier: GPL-2.0
/*
 * A GPIO chip of an input, EDGE, that moves by itself, and an output, ACT, that is expected to follow it. The kernel's
 * own clock measures the time from one to the other, whichever program is between them.
 *
 *     /sys/module/reaction/parameters/left      edges still to come; writing it forgets the times and begins
 *     /sys/module/reaction/parameters/period    µs from one edge to the next
 *     /sys/module/reaction/parameters/spread    µs that each is later at most, at random
 *     /sys/module/reaction/parameters/rising    time from each rising edge to the output's, in 100 ns; 0 if none came
 *     /sys/module/reaction/parameters/falling   the same for falling edges
 *     /sys/module/reaction/parameters/edge      the time of the last edge, by CLOCK_MONOTONIC, in ns
 *     /sys/module/reaction/parameters/act       the same of the last change of the output
 */
#include <linux/gpio/driver.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

enum { EDGE, ACT, MOST = 512 };

static unsigned int left;
static unsigned int made;
static unsigned long period = 130000;
static unsigned long spread = 32500;
static unsigned int noise = 1;
static bool levels[2];
static unsigned int trigger;
static bool masked = true;
static u64 edge, act;
static u32 times[2][MOST];

static int get(struct gpio_chip *chip, unsigned int offset) {
    return levels[offset];
}

static void set(struct gpio_chip *chip, unsigned int offset, int value) {
    const bool level = value != 0;

    if (offset != ACT || level == levels[ACT])
        return;
    act = ktime_get_ns();
    levels[ACT] = level;
    if (level == levels[EDGE] && made > 0 && made <= 2 * MOST && times[level][(made - 1) / 2] == 0)
        times[level][(made - 1) / 2] = act - edge;
}

static int get_direction(struct gpio_chip *chip, unsigned int offset) {
    return offset == EDGE ? GPIO_LINE_DIRECTION_IN : GPIO_LINE_DIRECTION_OUT;
}

static int direction_input(struct gpio_chip *chip, unsigned int offset) {
    return offset == EDGE ? 0 : -EINVAL;
}

static int direction_output(struct gpio_chip *chip, unsigned int offset, int value) {
    if (offset != ACT)
        return -EINVAL;
    set(chip, offset, value);
    return 0;
}

static struct gpio_chip chip = {
    .label = "reaction",
    .owner = THIS_MODULE,
    .get = get,
    .set = set,
    .get_direction = get_direction,
    .direction_input = direction_input,
    .direction_output = direction_output,
    .base = -1,
    .ngpio = 2,
    .names = (const char *const[]){"EDGE", "ACT"},
};

static int set_type(struct irq_data *data, unsigned int type) {
    trigger = type;
    return 0;
}

static void mask(struct irq_data *data) {
    masked = true;
    gpiochip_disable_irq(&chip, irqd_to_hwirq(data));
}

static void unmask(struct irq_data *data) {
    gpiochip_enable_irq(&chip, irqd_to_hwirq(data));
    masked = false;
}

static const struct irq_chip interrupts = {
    .name = "reaction",
    .irq_set_type = set_type,
    .irq_mask = mask,
    .irq_unmask = unmask,
    .flags = IRQCHIP_IMMUTABLE,
    GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static struct hrtimer timer;

/* By default, the edges keep no step with the requests beside them. */
static ktime_t pause(void) {
    noise = noise * 1103515245 + 12345;
    return ns_to_ktime(period * 1000 + spread * 1000 / 1024 * (noise >> 16 & 1023));
}

static enum hrtimer_restart move(struct hrtimer *timer) {
    levels[EDGE] = !levels[EDGE];
    made++;
    edge = ktime_get_ns();
    if (!masked && (trigger & (levels[EDGE] ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING)) != 0)
        generic_handle_domain_irq(chip.irq.domain, EDGE);
    if (--left == 0)
        return HRTIMER_NORESTART;
    hrtimer_forward_now(timer, pause());
    return HRTIMER_RESTART;
}

static int begin_edges(const char *text, const struct kernel_param *parameter) {
    int failed = left > 0 ? -EBUSY : param_set_uint(text, parameter);

    if (failed != 0 || left == 0)
        return failed;
    made = 0;
    memset(times, 0, sizeof times);
    hrtimer_start(&timer, pause(), HRTIMER_MODE_REL_HARD);
    return 0;
}

/* A page has room for all of them, in units of 100 ns. */
static int show_times(char *text, const struct kernel_param *parameter) {
    const u32 *of = parameter->arg;
    int length = 0;

    for (unsigned int at = 0; at < MOST && at < (made + 1) / 2 && length < PAGE_SIZE - 16; at++)
        length += scnprintf(text + length, PAGE_SIZE - length, "%u ", of[at] / 100);
    return length + scnprintf(text + length, PAGE_SIZE - length, "\n");
}

static const struct kernel_param_ops left_ops = {.set = begin_edges, .get = param_get_uint};
static const struct kernel_param_ops times_ops = {.get = show_times};
module_param_cb(left, &left_ops, &left, 0644);
module_param_cb(rising, &times_ops, times[1], 0444);
module_param_cb(falling, &times_ops, times[0], 0444);
module_param(period, ulong, 0644);
module_param(spread, ulong, 0644);
module_param(edge, ullong, 0444);
module_param(act, ullong, 0444);

static struct platform_device *device;

static int __init begin(void) {
    int failed;

    hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
    timer.function = move;
    device = platform_device_register_simple("reaction", PLATFORM_DEVID_NONE, NULL, 0);
    if (IS_ERR(device))
        return PTR_ERR(device);
    chip.parent = &device->dev;
    gpio_irq_chip_set_chip(&chip.irq, &interrupts);
    chip.irq.handler = handle_simple_irq;
    chip.irq.default_type = IRQ_TYPE_NONE;
    failed = gpiochip_add_data(&chip, NULL);
    if (failed != 0)
        platform_device_unregister(device);
    return failed;
}

/* There is no way out: the board ends with its modules. */
module_init(begin);
MODULE_DESCRIPTION("An edge, and the time until an output follows it, for the benchmark");
MODULE_LICENSE("GPL");
