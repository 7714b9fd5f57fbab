// SPDX-License-Identifier: GPL-2.0
/*
 * A GPIO chip of one input, PULSE, with a meter behind it that sends pulses of half their period: for the emulated
 * board, whose inputs are moved from outside, where the board's clock is unknown.
 *
 *     /sys/module/pulses/parameters/left     how many pulses are still to come; writing it begins
 *     /sys/module/pulses/parameters/period   µs from one pulse to the next
 */
#include <linux/gpio/driver.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/platform_device.h>

static unsigned int left;
static unsigned long period = 20000;
static bool level;
static unsigned int trigger;
static bool masked = true;

static int get(struct gpio_chip *chip, unsigned int offset) {
    return level;
}

static int get_direction(struct gpio_chip *chip, unsigned int offset) {
    return GPIO_LINE_DIRECTION_IN;
}

static int direction_input(struct gpio_chip *chip, unsigned int offset) {
    return 0;
}

static struct gpio_chip chip = {
    .label = "pulses",
    .owner = THIS_MODULE,
    .get = get,
    .get_direction = get_direction,
    .direction_input = direction_input,
    .base = -1,
    .ngpio = 1,
    .names = (const char *const[]){"PULSE"},
};

static int set_type(struct irq_data *data, unsigned int type) {
    trigger = type;
    return 0;
}

static void mask(struct irq_data *data) {
    masked = true;
    gpiochip_disable_irq(&chip, 0);
}

static void unmask(struct irq_data *data) {
    gpiochip_enable_irq(&chip, 0);
    masked = false;
}

static const struct irq_chip interrupts = {
    .name = "pulses",
    .irq_set_type = set_type,
    .irq_mask = mask,
    .irq_unmask = unmask,
    .flags = IRQCHIP_IMMUTABLE,
    GPIOCHIP_IRQ_RESOURCE_HELPERS,
};

static struct hrtimer timer;

static enum hrtimer_restart move(struct hrtimer *timer) {
    level = !level;
    if (!masked && (trigger & (level ? IRQ_TYPE_EDGE_RISING : IRQ_TYPE_EDGE_FALLING)) != 0)
        generic_handle_domain_irq(chip.irq.domain, 0);
    if (!level && --left == 0)
        return HRTIMER_NORESTART;
    hrtimer_forward(timer, hrtimer_get_expires(timer), ns_to_ktime(period * 500));
    return HRTIMER_RESTART;
}

static int begin_pulses(const char *text, const struct kernel_param *parameter) {
    int failed = left > 0 ? -EBUSY : param_set_uint(text, parameter);

    if (failed == 0 && left > 0)
        hrtimer_start(&timer, ns_to_ktime(period * 500), HRTIMER_MODE_REL_HARD);
    return failed;
}

static const struct kernel_param_ops left_ops = {.set = begin_pulses, .get = param_get_uint};
module_param_cb(left, &left_ops, &left, 0644);
module_param(period, ulong, 0644);

static struct platform_device *device;

static int __init begin(void) {
    int failed;

    hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
    timer.function = move;
    device = platform_device_register_simple("pulses", PLATFORM_DEVID_NONE, NULL, 0);
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
MODULE_DESCRIPTION("A meter that sends pulses, for tests");
MODULE_LICENSE("GPL");
